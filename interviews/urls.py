from django.urls import path

from interviews.participant.views import access_links, chat, end, start

app_name = "interviews"
urlpatterns = [
    path("", start.home, name="home"),
    path("i/<slug:slug>/", start.start, name="start"),
    path("e/<slug:slug>/", start.start, {"experiment": True}, name="experiment"),
    path("i/<slug:slug>/declined/", start.declined, name="declined"),
    path(
        "e/<slug:slug>/declined/", start.declined, {"experiment": True}, name="experiment_declined"
    ),
    path("join/<uuid:invitation_id>/", access_links.join, name="join"),
    path("join/<uuid:invitation_id>/enter/", access_links.enter_by_invitation, name="join_enter"),
    path("s/enter/", access_links.enter_by_link, name="enter_by_link"),
    path("s/swap/enter/", access_links.swap, name="swap"),
    path("s/<uuid:session_id>/", chat.chat, name="chat"),
    path("s/<uuid:session_id>/answer/", chat.answer, name="answer"),
    path("s/<uuid:session_id>/reply/", chat.reply, name="reply"),
    path("s/<uuid:session_id>/skip/", chat.skip, name="skip"),
    path("s/<uuid:session_id>/pause/", chat.pause, name="pause"),
    path("s/<uuid:session_id>/resume/", chat.resume, name="resume"),
    path("s/<uuid:session_id>/end/", end.end, name="end"),
    path("s/<uuid:session_id>/withdraw/", end.withdraw, name="withdraw"),
    path("s/<uuid:session_id>/rating/", end.rate, name="rating"),
    path("withdrawn/", start.withdrawn, name="withdrawn"),
    path("s/<uuid:session_id>/state/", chat.state, name="state"),
    path("s/<uuid:session_id>/earlier/", chat.earlier, name="earlier"),
    path("s/<uuid:session_id>/link/", chat.link, name="link"),
    path("s/<uuid:session_id>/enter/", access_links.enter, name="enter"),
    path("s/<uuid:session_id>/transcript/", end.transcript, name="transcript"),
    path("s/<uuid:session_id>/transcript.txt", end.transcript_text, name="transcript_text"),
]

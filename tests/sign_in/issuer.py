"""An OpenID Connect issuer of our own, over HTTP, that misbehaves on demand."""

import base64
import hashlib
import json
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

KEY = rsa.generate_private_key(65537, 2048)
ANN = {"sub": "ann-1", "preferred_username": "ann", "name": "Ann Lee"}


@dataclass
class FakeIssuer:
    """`person` signs in; `changes` are made to the ID token, `info` to the user info.

    `signs` is the key that signs, `asked` the requests for tokens.
    """

    url: str
    person: dict[str, Any] = field(default_factory=lambda: dict(ANN))
    changes: dict[str, Any] = field(default_factory=dict)
    info: dict[str, Any] = field(default_factory=dict)
    down: bool = False
    asked: list[dict[str, str]] = field(default_factory=list)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    signs: Any = KEY

    def __enter__(self) -> Self:
        issuer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                issuer.answer(self)

            do_POST = do_GET

            def log_message(self, *_: object) -> None: ...

        address = urlsplit(self.url)
        self._server = ThreadingHTTPServer((address.hostname or "", address.port or 0), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        place = urlsplit(request.path)
        sent = request.rfile.read(int(request.headers.get("Content-Length") or 0)).decode()
        values = {name: found[0] for name, found in parse_qs(place.query + sent).items()}
        if self.down:
            request.send_error(503)
        elif place.path == "/authorize":
            request.send_response(302)
            request.send_header("Location", self.authorize(values))
            request.end_headers()
        else:
            status, body = getattr(self, place.path.rpartition("/")[2].replace("-", "_"))(values)
            request.send_response(status)
            request.send_header("Content-Type", "application/json")
            request.end_headers()
            request.wfile.write(json.dumps(body).encode())

    def openid_configuration(self, _values: dict[str, str]) -> tuple[int, object]:
        return 200, {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "userinfo_endpoint": f"{self.url}/userinfo",
            "jwks_uri": f"{self.url}/jwks",
        }

    def jwks(self, _values: dict[str, str]) -> tuple[int, object]:
        public = jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key(), as_dict=True)
        return 200, {"keys": [public | {"kid": "one", "alg": "RS256", "use": "sig"}]}

    def authorize(self, values: dict[str, str]) -> str:
        """Where somebody who has signed in here is sent back to."""
        code = f"code-{len(self.codes)}"
        self.codes[code] = values
        return f"{values['redirect_uri']}?{urlencode({'code': code, 'state': values['state']})}"

    def token(self, values: dict[str, str]) -> tuple[int, object]:
        self.asked.append(values)
        began = self.codes.pop(values["code"], None)
        if began is None or values["client_secret"] != "secret" or not _proves(began, values):
            return 400, {"error": "invalid_grant"}
        now = int(time.time())
        claims = {
            "iss": self.url,
            "aud": began["client_id"],
            "iat": now,
            "exp": now + 300,
            "nonce": began["nonce"],
            **self.person,
            **self.changes,
        }
        signed = jwt.encode(claims, self.signs, "RS256", headers={"kid": "one"})
        return 200, {"access_token": "access", "token_type": "Bearer", "id_token": signed}

    def userinfo(self, _values: dict[str, str]) -> tuple[int, object]:
        return 200, {"sub": self.person["sub"], **self.info}


def _proves(began: dict[str, str], values: dict[str, str]) -> bool:
    """Whether it is the browser that has begun (PKCE)."""
    digest = hashlib.sha256(values.get("code_verifier", "").encode()).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=") == began["code_challenge"]

SET CONSTRAINTS ALL IMMEDIATE;

CREATE OR REPLACE FUNCTION interviews_search_configuration(language text) RETURNS regconfig
LANGUAGE sql IMMUTABLE AS $$
  SELECT (CASE split_part(lower(language), '-', 1)
    WHEN 'ar' THEN 'arabic' WHEN 'hy' THEN 'armenian' WHEN 'eu' THEN 'basque'
    WHEN 'ca' THEN 'catalan' WHEN 'da' THEN 'danish' WHEN 'nl' THEN 'dutch'
    WHEN 'en' THEN 'english' WHEN 'pcm' THEN 'english' WHEN 'fi' THEN 'finnish'
    WHEN 'fr' THEN 'french' WHEN 'de' THEN 'german' WHEN 'el' THEN 'greek'
    WHEN 'hi' THEN 'hindi' WHEN 'hu' THEN 'hungarian' WHEN 'id' THEN 'indonesian'
    WHEN 'ga' THEN 'irish' WHEN 'it' THEN 'italian' WHEN 'lt' THEN 'lithuanian'
    WHEN 'ne' THEN 'nepali' WHEN 'no' THEN 'norwegian' WHEN 'nb' THEN 'norwegian'
    WHEN 'nn' THEN 'norwegian' WHEN 'pt' THEN 'portuguese' WHEN 'ro' THEN 'romanian'
    WHEN 'ru' THEN 'russian' WHEN 'sr' THEN 'serbian' WHEN 'es' THEN 'spanish'
    WHEN 'sv' THEN 'swedish' WHEN 'ta' THEN 'tamil' WHEN 'tr' THEN 'turkish'
    WHEN 'yi' THEN 'yiddish' ELSE 'simple'
  END)::regconfig
$$;

CREATE OR REPLACE FUNCTION interviews_search_fill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  SELECT to_tsvector(interviews_search_configuration(language), new.text) INTO new.search_words
  FROM interviews_session WHERE id = new.session_id;
  RETURN new;
END $$;

ALTER TABLE interviews_transcriptentry ADD COLUMN IF NOT EXISTS search_words tsvector;

UPDATE interviews_transcriptentry
SET search_words = to_tsvector(interviews_search_configuration(language), text)
FROM interviews_session session WHERE session.id = session_id;

CREATE INDEX IF NOT EXISTS interviews_search ON interviews_transcriptentry USING gin (search_words);

CREATE TRIGGER interviews_search BEFORE INSERT OR UPDATE OF text ON interviews_transcriptentry
FOR EACH ROW EXECUTE FUNCTION interviews_search_fill();

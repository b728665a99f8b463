CREATE VIRTUAL TABLE IF NOT EXISTS interviews_search USING fts5(
  text,
  content='interviews_transcriptentry',
  content_rowid='id',
  tokenize='unicode61 remove_diacritics 2'
);

CREATE TRIGGER interviews_search_added AFTER INSERT ON interviews_transcriptentry BEGIN
  INSERT INTO interviews_search (rowid, text) VALUES (new.id, new.text);
END;

CREATE TRIGGER interviews_search_changed AFTER UPDATE OF text ON interviews_transcriptentry BEGIN
  INSERT INTO interviews_search (interviews_search, rowid, text) VALUES ('delete', old.id, old.text);
  INSERT INTO interviews_search (rowid, text) VALUES (new.id, new.text);
END;

CREATE TRIGGER interviews_search AFTER DELETE ON interviews_transcriptentry BEGIN
  INSERT INTO interviews_search (interviews_search, rowid, text) VALUES ('delete', old.id, old.text);
END;

INSERT INTO interviews_search (interviews_search) VALUES ('rebuild');

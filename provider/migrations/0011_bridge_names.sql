-- What a home calls a bridge that serves it; null: what the bridge was called when it was enrolled.

ALTER TABLE bridge_homes ADD COLUMN name TEXT;

"""Files: where bytes come from, formats, decoders, EXIF."""

"""Reading: certificates, specs and law files."""

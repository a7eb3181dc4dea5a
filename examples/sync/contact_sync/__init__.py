"""Keeps a file of contacts and the service's contacts the same, in both directions."""

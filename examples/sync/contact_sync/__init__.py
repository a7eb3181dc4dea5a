"""Synchronizes a file of contacts and the service's contacts in both directions."""

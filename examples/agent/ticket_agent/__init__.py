"""An agent that processes a queue of support tickets with the tools of the service."""

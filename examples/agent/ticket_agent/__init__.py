"""An agent that works a queue of support tickets through the tools of the service."""

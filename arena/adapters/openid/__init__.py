"""Sign-in by OpenID Connect: an attempt, the connection to a provider, and what the provider says about a person."""

"""Images from untrusted users, decoded and encoded again in a child process, so that no byte of their files remains."""

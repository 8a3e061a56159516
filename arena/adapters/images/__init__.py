"""Images from strangers: decoded and encoded anew in a child process, so that nothing of their files is kept."""

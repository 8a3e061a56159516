"""The page of an arena for members on which people sign in, take an invitation, and sign out."""

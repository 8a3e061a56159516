"""What must hold when something breaks: real processes, real servers, and a load of votes whose answers are kept."""

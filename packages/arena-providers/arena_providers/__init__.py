"""Stream one chat request from one endpoint: a file per wire dialect over a transport that strangers cannot abuse."""

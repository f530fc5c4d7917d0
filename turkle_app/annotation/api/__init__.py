"""The API, by which programs do with a token what requesters and staff do on pages."""

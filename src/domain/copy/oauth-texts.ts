/** Texts for the error codes of RFC 6749 (OPEN-14). Unlisted codes use the first text. */
export const OAUTH_ERRORS: Readonly<Record<string, string>> = {
  server_error: 'The sign-in service had a problem. Please log in again.',
  invalid_request: 'The sign-in request was not valid, or too old. Please log in again.',
  invalid_client: 'This portal is not known to the sign-in service. Please contact us for assistance.',
  invalid_grant: 'This sign-in has expired or was used already. Please log in again.',
  unauthorized_client: 'This portal may not sign you in this way. Please contact us for assistance.',
  unsupported_grant_type: 'The sign-in service does not offer this kind of sign-in. Please contact us for assistance.',
  invalid_scope: 'This portal asked for more than the sign-in service grants. Please contact us for assistance.',
  access_denied: 'You did not allow the sign-in, so nothing was shared. Log in to try again.',
  unsupported_response_type:
    'The sign-in service does not offer this kind of sign-in. Please contact us for assistance.',
  temporarily_unavailable: 'The sign-in service is busy right now. Please log in again in a moment.',
}

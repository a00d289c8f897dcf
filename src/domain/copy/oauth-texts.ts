/** Texts for the error codes of RFC 6749 (OPEN-14). Unlisted codes use the first text. */
export const OAUTH_ERRORS: Readonly<Record<string, string>> = {
  server_error: 'The login service had a problem. Log in again.',
  invalid_request: 'The login request was invalid or has expired. Log in again.',
  invalid_client: 'The login service doesn’t recognize this portal. Contact us for help.',
  invalid_grant: 'This login attempt has expired or was already used. Log in again.',
  unauthorized_client: 'This portal isn’t allowed to log you in this way. Contact us for help.',
  unsupported_grant_type: 'The login service doesn’t support this type of login. Contact us for help.',
  invalid_scope: 'This portal requested access that the login service doesn’t allow. Contact us for help.',
  access_denied: 'You didn’t allow the login, so nothing was shared. Log in to try again.',
  unsupported_response_type: 'The login service doesn’t support this type of login. Contact us for help.',
  temporarily_unavailable: 'The login service is busy. Wait a moment, then log in again.',
}

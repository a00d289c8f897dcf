/** Where a signed-in person adds and removes passkeys. */
export const PASSKEYS_PATH = '/account/passkeys'

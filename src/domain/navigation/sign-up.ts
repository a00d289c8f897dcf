/** Path of the edge that opens the form for a new account. Redirects, so a plain link without a script works. */
export const SIGN_UP_ENTRY_PATH = '/api/auth/sign-up'

/** Returns the URL of the form for a new account. `path`: page of the portal to open after the first sign-in. */
export const createSignUpPath = (path?: string): string =>
  path === undefined ? SIGN_UP_ENTRY_PATH : `${SIGN_UP_ENTRY_PATH}?${new URLSearchParams({ path }).toString()}`

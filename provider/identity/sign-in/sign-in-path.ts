const SIGN_IN_PATH_PREFIX = '/oauth/sign-in/'

/** Returns the path of an authorization request's sign-in page. The request's cookie is bound to this path. */
export function signInPath(uid: string): string {
  return SIGN_IN_PATH_PREFIX + uid
}

/** Returns the uid of the authorization request from the path of its sign-in page; null for any other path. */
export function parseSignInUid(path: string): string | null {
  return path.startsWith(SIGN_IN_PATH_PREFIX) ? path.slice(SIGN_IN_PATH_PREFIX.length) : null
}

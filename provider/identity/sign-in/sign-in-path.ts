const PREFIX = '/oauth/sign-in/'

/** Returns the path of an authorization request's sign-in page; its cookie is bound to this path. */
export function signInPath(uid: string): string {
  return PREFIX + uid
}

/** Returns the uid of the authorization request whose sign-in page is at this path, else null. */
export function signInUid(path: string): string | null {
  return path.startsWith(PREFIX) ? path.slice(PREFIX.length) : null
}

const PREFIX = '/oauth/sign-in/'

/** Path of the sign-in page of one authorization request; its cookie is bound to this path. */
export function signInPath(uid: string): string {
  return PREFIX + uid
}

/** The authorization request that a path is the sign-in page of, or null for any other path. */
export function signInUid(path: string): string | null {
  return path.startsWith(PREFIX) ? path.slice(PREFIX.length) : null
}

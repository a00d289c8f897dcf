/** What an account is to a home, or to a camera of it. */

/** The account owns the home. */
export const OWNER = 1
/** The account belongs to the home, or the camera is shared with it. */
export const SHARED = 2

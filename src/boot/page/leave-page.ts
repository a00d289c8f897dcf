import { SIGNED_IN_COOKIE } from '../../../contract/wire/constants.ts'
import { readCookie } from '../../api/xsrf.ts'

/** Opens a path or URL and replaces the history entry of this page, so that Back does not return to this page. */
export const leavePage = (path: string): void => location.replace(path)

/** True if the marker cookie is set. The session may have ended nevertheless, so the server must confirm it. */
export const isMarkedSignedIn = (): boolean => readCookie(document.cookie, SIGNED_IN_COOKIE) === '1'

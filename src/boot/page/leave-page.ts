import { SIGNED_IN_COOKIE } from '../../../contract/wire/constants.ts'
import { readCookie } from '../../api/xsrf.ts'

/** Opens `path` instead of this page, without a history entry for this page. */
export const leavePage = (path: string): void => location.replace(path)

/** True if the marker cookie is set. The session may have ended nevertheless, so the server must confirm it. */
export const isMarkedSignedIn = (): boolean => readCookie(document.cookie, SIGNED_IN_COOKIE) === '1'

/** What a page says of itself; paths containing /live or /events overrule it (LAYOUT-07). */
export interface PageFlags {
  readonly requiresLogin?: boolean
  readonly hidesHeader?: boolean
}

const VIDEO_PAGE = /\/(live|events)/
/** Pages that require login by their own flag, by path (OPEN-05). */
const ACCOUNT_PAGE = /^\/account|^\/purchase|\/payment/

export function isProtected(path: string, flags: PageFlags = {}): boolean {
  return VIDEO_PAGE.test(path) || ACCOUNT_PAGE.test(path) || flags.requiresLogin === true
}

export function showsHeader(path: string, flags: PageFlags = {}): boolean {
  return VIDEO_PAGE.test(path) || flags.hidesHeader !== true
}

/** Live and Events fill the window below the header. */
export function fillsWindow(path: string): boolean {
  return VIDEO_PAGE.test(path)
}

/** Whether the path and query of this page are remembered as the last visited (SESSION-09): not on login, logout, /user pages. */
export function isRemembered(path: string): boolean {
  return !/^\/user(\/|$)/.test(path)
}

export type Section = 'cameras' | 'events' | 'account'

/** The section of the top navigation that a page belongs to. */
export function sectionOf(path: string): Section | null {
  if (path.startsWith('/account')) return 'account'
  if (path.includes('/events')) return 'events'
  return path.includes('/live') ? 'cameras' : null
}

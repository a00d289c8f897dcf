import { pageAt, type PageFlags } from './pages.ts'

const VIDEO_PAGE = /\/(live|events)/

/** Returns true if a page requires sign-in, by its own flags unless others are given (OPEN-05). */
export function isProtected(path: string, flags: PageFlags = pageAt(path)): boolean {
  return VIDEO_PAGE.test(path) || flags.requiresLogin === true
}

export function showsHeader(path: string, flags: PageFlags = pageAt(path)): boolean {
  return VIDEO_PAGE.test(path) || flags.hidesHeader !== true
}

/** Returns true for Live and Events, which fill the window below the header. */
export function fillsWindow(path: string): boolean {
  return VIDEO_PAGE.test(path)
}

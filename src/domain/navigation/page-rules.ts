import { findPage, type PageFlags } from './pages.ts'

const VIDEO_PAGE_PATH = /\/(live|events)/

/**
 * Returns true if a page requires sign-in (OPEN-05): every page whose path contains /live or /events, and each other
 * page whose `flags` require it.
 */
export function isProtected(path: string, flags: PageFlags = findPage(path)): boolean {
  return VIDEO_PAGE_PATH.test(path) || flags.requiresLogin === true
}

export function showsHeader(path: string, flags: PageFlags = findPage(path)): boolean {
  return VIDEO_PAGE_PATH.test(path) || flags.hidesHeader !== true
}

/** Returns true for Live and Events, which fill the window below the header. */
export function fillsWindow(path: string): boolean {
  return VIDEO_PAGE_PATH.test(path)
}

import { fillsWindow, isProtected, sectionOf, showsHeader, type PageFlags } from '../../domain/page-rules.ts'
import { titleOf } from '../../domain/titles.ts'
import { KEYS } from '../../stores/storage/storage.ts'

export const NOTICE_KEY = KEYS.browserNotice

/** Everything that a layout needs to know of a page, by its path as built (`/live.html`) or as served (`/live`). */
export function pageFacts(pathname: string, flags: PageFlags = {}) {
  const path = pathname
    .replace(/\.html$/, '')
    .replace(/\/index$/, '/')
    .replace(/(.)\/$/, '$1')
  return {
    path,
    title: titleOf(path),
    section: sectionOf(path),
    isProtected: isProtected(path, flags),
    showsHeader: showsHeader(path, flags),
    fillsWindow: fillsWindow(path),
  }
}

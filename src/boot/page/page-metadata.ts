import { fillsWindow, isProtected, showsHeader } from '../../domain/navigation/page-rules.ts'
import { pageAt, PAGES } from '../../domain/navigation/pages.ts'
import { KEYS } from '../../stores/storage/storage-keys.ts'

export const NOTICE_KEY = KEYS.browserNotice

/** Returns the facts of a page that a layout needs, by its path as built (`/live.html`) or as served (`/live`). */
export function pageFacts(pathname: string) {
  const path = pathname
    .replace(/\.html$/, '')
    .replace(/\/index$/, '/')
    .replace(/(.)\/$/, '$1')
  const { title, section = null } = pageAt(path)
  return {
    path,
    title,
    section,
    isProtected: isProtected(path),
    showsHeader: showsHeader(path),
    fillsWindow: fillsWindow(path),
  }
}

/** Entries of the top navigation and of the account section, in display order. */
const entries = PAGES.flatMap(({ path, section, entry }) =>
  section && entry ? [{ id: section, label: entry, href: path }] : [],
)
export const ENTRIES = (['cameras', 'events', 'account'] as const).flatMap((id) =>
  entries.filter((entry) => entry.id === id),
)
export const ACCOUNT_TABS = PAGES.flatMap(({ path, tab }) => (tab ? [{ label: tab, href: path }] : []))

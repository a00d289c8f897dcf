import { fillsWindow, isProtected, showsHeader } from '../../domain/navigation/page-rules.ts'
import { findPage, PAGES } from '../../domain/navigation/pages.ts'
import { STORAGE_KEYS } from '../../stores/storage/storage-keys.ts'

export const NOTICE_KEY = STORAGE_KEYS.browserNotice

/** Returns the metadata that a layout needs, by the path as built (`/live.html`) or as served (`/live`). */
export function getPageMetadata(pathname: string) {
  const path = pathname
    .replace(/\.html$/, '')
    .replace(/\/index$/, '/')
    .replace(/(.)\/$/, '$1')
  const { title, section = null } = findPage(path)
  return {
    path,
    title,
    section,
    isProtected: isProtected(path),
    showsHeader: showsHeader(path),
    fillsWindow: fillsWindow(path),
  }
}

const sectionEntries = PAGES.flatMap(({ path, section, entry }) =>
  section && entry ? [{ id: section, label: entry, href: path }] : [],
)
export const NAVIGATION_ENTRIES = (['cameras', 'events', 'account'] as const).flatMap((id) =>
  sectionEntries.filter((entry) => entry.id === id),
)
export const ACCOUNT_TABS = PAGES.flatMap(({ path, tab }) => (tab ? [{ label: tab, href: path }] : []))

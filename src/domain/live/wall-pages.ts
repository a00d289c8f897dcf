import type { LayoutMode } from './tile-layout.ts'

/** Display times in ms: of a wall page, of an event on the large tile, and of the controls after user input. */
export const PAGE_DURATION_MS = 20_000
export const EVENT_DURATION_MS = 20_000
export const CONTROLS_DURATION_MS = 5000
/** Maximum age in ms of an event that the wall still shows as new. */
const NEW_EVENT_MAX_AGE_MS = 60_000
export const MAX_CAMERAS_PER_PAGE = 9

export interface WallPage {
  readonly name: string
  readonly ids: readonly string[]
  readonly mode: LayoutMode
}
interface SavedLayout {
  readonly name: string
  readonly mode: LayoutMode
  readonly order: readonly string[]
  readonly shown: readonly string[]
}

/**
 * Returns the pages that wall mode cycles through: all cameras of `ids`, then each saved layout that shows only some of
 * them. Each page has up to nine cameras.
 */
export function createWallPages(ids: readonly string[], layouts: readonly SavedLayout[]): WallPage[] {
  const saved = layouts.flatMap(({ name, mode, order, shown: cameraIds }) => {
    const visible = order.filter((id) => ids.includes(id) && (cameraIds.length === 0 || cameraIds.includes(id)))
    return visible.length > 0 && visible.length < ids.length ? splitIntoPages(name, visible, mode) : []
  })
  return [...splitIntoPages('All cameras', ids, 'automatic'), ...saved]
}

function splitIntoPages(name: string, ids: readonly string[], mode: LayoutMode): WallPage[] {
  const pageCount = Math.ceil(ids.length / MAX_CAMERAS_PER_PAGE)
  const camerasPerPage = Math.ceil(ids.length / pageCount)
  return Array.from({ length: pageCount }, (_, at) => ({
    name: pageCount > 1 ? `${name}, ${at + 1} of ${pageCount}` : name,
    ids: ids.slice(at * camerasPerPage, (at + 1) * camerasPerPage),
    mode,
  }))
}

/** Index of the current page, and the time at which the next page is due, ms UTC. */
export interface WallPageTurn {
  readonly page: number
  readonly dueAt: number
}

/** Returns the current page and due time at `now`. A late timer does not shift the schedule. */
export function advancePage(turn: WallPageTurn, pageCount: number, now: number): WallPageTurn {
  if (now < turn.dueAt || pageCount < 2) return turn
  const turns = 1 + Math.floor((now - turn.dueAt) / PAGE_DURATION_MS)
  return { page: (turn.page + turns) % pageCount, dueAt: turn.dueAt + turns * PAGE_DURATION_MS }
}

export const isNewEvent = (eventTs: number, now: number): boolean => Math.abs(now - eventTs) < NEW_EVENT_MAX_AGE_MS

/**
 * Moves the camera of an event to the front of the page. A camera that is not on the page replaces the last camera of
 * the page. A page with more than two cameras changes to mode `focus`.
 */
export function moveCameraToFront(page: WallPage, id: string): WallPage {
  const others = page.ids.filter((other) => other !== id)
  const ids = [id, ...others].slice(0, Math.max(page.ids.length, 1))
  return { ...page, ids, mode: ids.length > 2 ? 'focus' : page.mode }
}

/**
 * Returns the offset of the wall's clock in px. The offset moves by 4 px each minute along a square, which prevents
 * burn-in.
 */
export function getClockOffset(now: number): { readonly x: number; readonly y: number } {
  const corner = Math.floor(now / 60_000) % 4
  return { x: corner === 1 || corner === 2 ? 4 : 0, y: corner > 1 ? 4 : 0 }
}

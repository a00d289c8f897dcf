import { atom } from 'nanostores'
import type { Fold } from '../../domain/events/event-groups.ts'

/** Ids of events whose group was opened on this page. */
export const $openedFolds = atom<ReadonlySet<string>>(new Set())

/** Opens a group permanently: it stays open when events join it. */
export function openFold(ids: readonly string[]): void {
  const opened = $openedFolds.get()
  if (ids.some((id) => !opened.has(id))) $openedFolds.set(new Set([...opened, ...ids]))
}

export function toggleFold({ ids, isOpen }: Fold): void {
  if (!isOpen) return openFold(ids)
  const closed = new Set(ids)
  $openedFolds.set(new Set([...$openedFolds.get()].filter((id) => !closed.has(id))))
}

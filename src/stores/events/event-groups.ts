import { atom } from 'nanostores'
import type { Fold } from '../../domain/events/event-groups.ts'

/** Ids of events whose fold somebody has opened on this page. */
export const $openedFolds = atom<ReadonlySet<string>>(new Set())

/** Opens a fold for good: also when others come in before it or after it. */
export function openFold(ids: readonly string[]): void {
  const opened = $openedFolds.get()
  if (ids.some((id) => !opened.has(id))) $openedFolds.set(new Set([...opened, ...ids]))
}

/** Opens a fold, or closes it. */
export function toggleFold({ ids, isOpen }: Fold): void {
  if (!isOpen) return openFold(ids)
  const closed = new Set(ids)
  $openedFolds.set(new Set([...$openedFolds.get()].filter((id) => !closed.has(id))))
}

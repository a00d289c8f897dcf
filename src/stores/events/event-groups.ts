import { atom } from 'nanostores'
import type { EventGroup } from '../../domain/events/event-groups.ts'

/** Ids of events whose group was opened on this page. */
export const $openGroupEventIds = atom<ReadonlySet<string>>(new Set())

/** Opens the group of these events. The group stays open when other events join it. */
export function openGroup(ids: readonly string[]): void {
  const opened = $openGroupEventIds.get()
  if (ids.some((id) => !opened.has(id))) $openGroupEventIds.set(new Set([...opened, ...ids]))
}

export function toggleGroup({ ids, isOpen }: EventGroup): void {
  if (!isOpen) return openGroup(ids)
  const closed = new Set(ids)
  $openGroupEventIds.set(new Set([...$openGroupEventIds.get()].filter((id) => !closed.has(id))))
}

import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { isFreeType } from '../../../domain/events/event-types.ts'
import { $eventUrl, changeFilter } from '../../../stores/events/event-url.ts'
import { $eventTags, loadEventTags, type TagChoice } from '../../../stores/events/event-tags.ts'
import { ExportListButton } from './ExportListButton.tsx'
import { KindChips } from './KindChips.tsx'
import { CheckRow } from '../../../ui/CheckRow.tsx'
import { toggleItem } from '../../../ui/toggle-item.ts'
import { getTagIcon } from './tag-icons.ts'

const SEEN_OPTIONS = [
  { value: null, name: 'All' },
  { value: false, name: 'Unseen' },
  { value: true, name: 'Seen' },
] as const

/** Seen status, kinds, tags and export. `withKinds`: false if kinds and export are shown elsewhere. */
export function TagsPanel({ isPaid, withKinds = true }: { isPaid: boolean; withKinds?: boolean }) {
  const { motion, sound, tags } = useStore($eventTags)
  const { seen } = useStore($eventUrl).filter
  useEffect(() => void loadEventTags(), [])
  const filterOffered = (list: readonly TagChoice[]) => list.filter(({ id }) => isPaid || isFreeType(id))

  return (
    <div className="flex flex-col gap-1">
      <div className="seg m-1" role="group" aria-label="Seen status">
        {SEEN_OPTIONS.map(({ value, name }) => (
          <button
            key={name}
            type="button"
            className="flex-1"
            aria-pressed={seen === value}
            onClick={() => changeFilter({ seen: value })}
          >
            {name}
          </button>
        ))}
      </div>
      {withKinds && <KindChips isPaid={isPaid} />}
      <div className="flex flex-wrap gap-x-2">
        <TagList name="Motion" list={filterOffered(motion)} />
        <TagList name="Sound" list={filterOffered(sound)} />
        <TagList name="Other" list={filterOffered(tags)} />
      </div>
      {withKinds && (
        <div className="filter-foot">
          <ExportListButton />
        </div>
      )}
    </div>
  )
}

function TagList({ name, list }: { name: string; list: readonly TagChoice[] }) {
  const { tags } = useStore($eventUrl).filter
  if (list.length === 0) return null
  return (
    <fieldset>
      <legend className="text-small text-ink-2 px-2.5 pt-2 font-bold">{name}</legend>
      {list.map(({ id, name: label, icon }) => {
        const Icon = getTagIcon(icon)
        return (
          <CheckRow key={id} checked={tags.includes(id)} onChange={() => changeFilter({ tags: toggleItem(tags, id) })}>
            <Icon size={16} aria-hidden />
            {label}
          </CheckRow>
        )
      })}
    </fieldset>
  )
}

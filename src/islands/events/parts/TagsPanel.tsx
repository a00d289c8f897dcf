import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { isFreeType } from '../../../domain/events/event-types.ts'
import { $address, changeFilter } from '../../../stores/events/event-url.ts'
import { $eventTags, loadEventTags, type TagChoice } from '../../../stores/events/event-tags.ts'
import { CheckRow, toggled } from '../../../ui/CheckRow.tsx'
import { tagIcon } from './tag-icons.ts'

const SEEN = [
  { value: null, name: 'All' },
  { value: false, name: 'Not seen' },
  { value: true, name: 'Seen' },
] as const

export function TagsPanel({ isPaid }: { isPaid: boolean }) {
  const { motion, sound, tags } = useStore($eventTags)
  const { seen } = useStore($address).filter
  useEffect(() => void loadEventTags(), [])
  const offered = (list: readonly TagChoice[]) => list.filter(({ id }) => isPaid || isFreeType(id))

  return (
    <div className="flex flex-col gap-1">
      <div className="seg m-1" role="group" aria-label="Seen or not">
        {SEEN.map(({ value, name }) => (
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
      <div className="flex flex-wrap gap-x-2">
        <TagList name="Motion" list={offered(motion)} />
        <TagList name="Sound" list={offered(sound)} />
        <TagList name="Other" list={offered(tags)} />
      </div>
    </div>
  )
}

function TagList({ name, list }: { name: string; list: readonly TagChoice[] }) {
  const { tags } = useStore($address).filter
  if (list.length === 0) return null
  return (
    <fieldset>
      <legend className="text-small text-ink-2 px-2.5 pt-2 font-bold">{name}</legend>
      {list.map(({ id, name: label, icon }) => {
        const Icon = tagIcon(icon)
        return (
          <CheckRow key={id} checked={tags.includes(id)} onChange={() => changeFilter({ tags: toggled(tags, id) })}>
            <Icon size={16} aria-hidden />
            {label}
          </CheckRow>
        )
      })}
    </fieldset>
  )
}

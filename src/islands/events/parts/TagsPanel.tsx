import { useStore } from '@nanostores/react'
import type { LucideIcon } from 'lucide-react'
import { memo, useEffect } from 'react'
import { isFreeType } from '../../../domain/events/event-types.ts'
import { $eventFilter, changeFilter, toggleTag } from '../../../stores/events/event-url.ts'
import { $eventTags, loadEventTags, type TagChoice } from '../../../stores/events/event-tags.ts'
import { ExportListButton } from './ExportListButton.tsx'
import { KindChips } from './KindChips.tsx'
import { CheckRow } from '../../../ui/CheckRow.tsx'
import { getTagIcon } from './tag-icons.ts'

const SEEN_OPTIONS = [
  { value: null, name: 'All' },
  { value: false, name: 'Unseen' },
  { value: true, name: 'Seen' },
] as const

/** Seen status, kinds, tags and export. `withKinds`: false if kinds and export are shown elsewhere. */
export function TagsPanel({ isPaid, withKinds = true }: { isPaid: boolean; withKinds?: boolean }) {
  const { motion, sound, tags } = useStore($eventTags)
  const { seen } = useStore($eventFilter)
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
  const { tags } = useStore($eventFilter)
  if (list.length === 0) return null
  return (
    <fieldset>
      <legend className="text-small text-ink-2 px-2.5 pt-2 font-bold">{name}</legend>
      {list.map(({ id, name: label, icon }) => (
        <TagRow key={id} id={id} name={label} Icon={getTagIcon(icon)} isChecked={tags.includes(id)} />
      ))}
    </fieldset>
  )
}

interface TagRowProps extends Pick<TagChoice, 'id' | 'name'> {
  readonly Icon: LucideIcon
  readonly isChecked: boolean
}

/** Memoized, because a change of the filter changes one row of many. */
const TagRow = memo(function TagRow({ id, name, Icon, isChecked }: TagRowProps) {
  return (
    <CheckRow checked={isChecked} onChange={() => toggleTag(id)}>
      <Icon size={16} aria-hidden />
      {name}
    </CheckRow>
  )
})

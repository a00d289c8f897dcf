import CornerDownLeft from 'lucide-react/icons/corner-down-left'
import UserRoundPlus from 'lucide-react/icons/user-round-plus'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { type HomePerson, PERSON_NAME_MAX } from '../../contract/events/people.ts'
import { inClips } from '../domain/copy/counts.ts'
import { type NameRow, nameRows } from '../domain/events/people-labels.ts'
import { PersonPicture } from './PersonPicture.tsx'

interface NameBoxProps {
  readonly people: readonly HomePerson[]
  readonly text: string
  readonly onText: (text: string) => void
  /** Called with the chosen row on Enter or a press. */
  readonly onTake: (row: NameRow) => void
  readonly isLabelHidden?: boolean
  readonly autoFocus?: boolean
  readonly describedBy?: string
}

/** Name field for a person. The first row adds the typed name, the others are known people. */
export function NameBox(props: NameBoxProps) {
  const { people, text, onText, onTake, isLabelHidden = false, autoFocus = false, describedBy } = props
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const list = useRef<HTMLUListElement>(null)
  const rows = isOpen ? nameRows(people, text) : []
  const marked = Math.min(active, rows.length - 1)
  useEffect(() => {
    if (marked >= 0) list.current?.children[marked]?.scrollIntoView({ block: 'nearest' })
  }, [marked])

  function open(at: number): void {
    setIsOpen(true)
    setActive(at)
  }
  function onKeyDown(key: KeyboardEvent): void {
    const row = rows[marked]
    if (key.key === 'ArrowDown') open(rows.length === 0 ? 0 : (marked + 1) % rows.length)
    else if (key.key === 'ArrowUp') open(rows.length === 0 ? 0 : (marked <= 0 ? rows.length : marked) - 1)
    else if (key.key === 'Enter' && row) chooseRow(row)
    else if (key.key === 'Escape' && (rows.length > 0 || text !== '')) write('')
    else return
    key.preventDefault()
    key.stopPropagation()
  }
  function write(next: string): void {
    onText(next)
    setIsOpen(next.trim() !== '')
    setActive(0)
  }
  /**
   * Closes the list when the field loses focus. During a press on a button, waits for the click, because closing the
   * list would move the button away.
   */
  function leave(): void {
    const close = () => setIsOpen(false)
    if (document.querySelector('button:active')) window.addEventListener('click', close, { once: true })
    else close()
  }
  function chooseRow(row: NameRow): void {
    setIsOpen(false)
    onTake(row)
  }

  return (
    <div className="name-box">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : undefined}>
        Name
      </label>
      <input
        id={id}
        type="text"
        role="combobox"
        className="input"
        autoComplete="off"
        autoCapitalize="words"
        enterKeyHint="done"
        maxLength={PERSON_NAME_MAX}
        placeholder="Name"
        autoFocus={autoFocus}
        aria-autocomplete="list"
        aria-expanded={rows.length > 0}
        aria-controls={`${id}-rows`}
        aria-activedescendant={marked < 0 ? undefined : `${id}-${marked}`}
        aria-describedby={describedBy}
        value={text}
        onChange={({ target }) => write(target.value)}
        onKeyDown={onKeyDown}
        onBlur={leave}
      />
      <ul id={`${id}-rows`} ref={list} role="listbox" aria-label="Names" hidden={rows.length === 0}>
        {rows.map((row, i) => (
          <li
            key={row.kind === 'add' ? 'add' : row.person.person_id}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === marked}
            // The press must not take the focus from the field, which would close the list.
            onPointerDown={(press) => press.preventDefault()}
            onClick={() => chooseRow(row)}
          >
            <Row row={row} />
            {i === marked && <CornerDownLeft size={18} aria-hidden="true" />}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Row({ row }: { row: NameRow }) {
  if (row.kind === 'known')
    return (
      <>
        <PersonPicture person={row.person} size={32} />
        <span className="name-row">
          <b>{row.person.name}</b>
          <small>{inClips(row.person.events)}</small>
        </span>
      </>
    )
  return (
    <>
      <span className="name-add" aria-hidden="true">
        <UserRoundPlus size={18} />
      </span>
      <span className="name-row">
        <b>Add “{row.name}”</b>
        <small>New person</small>
      </span>
    </>
  )
}

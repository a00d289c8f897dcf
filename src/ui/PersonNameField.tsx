import CornerDownLeft from 'lucide-react/icons/corner-down-left'
import UserRoundPlus from 'lucide-react/icons/user-round-plus'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { type HomePerson, PERSON_NAME_MAX } from '../../contract/events/people.ts'
import { formatClipCount } from '../domain/copy/counts.ts'
import { type NameSuggestion, listNameSuggestions } from '../domain/copy/people-labels.ts'
import { PersonPicture } from './PersonPicture.tsx'

interface PersonNameFieldProps {
  readonly people: readonly HomePerson[]
  readonly text: string
  readonly onTextChange: (text: string) => void
  /** Called when the user selects a row by Enter or by a press. */
  readonly onTake: (row: NameSuggestion) => void
  readonly isLabelHidden?: boolean
  readonly autoFocus?: boolean
  readonly describedBy?: string
}

/**
 * Name field for a person, with a list of suggestions. The first row offers the typed name as a new person, unless a
 * known person has that name. The other rows are known people whose name contains the typed text.
 */
export function PersonNameField(props: PersonNameFieldProps) {
  const { people, text, onTextChange, onTake, isLabelHidden = false, autoFocus = false, describedBy } = props
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const list = useRef<HTMLUListElement>(null)
  const rows = isOpen ? listNameSuggestions(people, text) : []
  const activeIndex = Math.min(active, rows.length - 1)
  useEffect(() => {
    if (activeIndex >= 0) list.current?.children[activeIndex]?.scrollIntoView({ block: 'nearest' })
  }, [activeIndex])

  function openAt(at: number): void {
    setIsOpen(true)
    setActive(at)
  }
  function onKeyDown(key: KeyboardEvent): void {
    const row = rows[activeIndex]
    if (key.key === 'ArrowDown') openAt(rows.length === 0 ? 0 : (activeIndex + 1) % rows.length)
    else if (key.key === 'ArrowUp') openAt(rows.length === 0 ? 0 : (activeIndex <= 0 ? rows.length : activeIndex) - 1)
    else if (key.key === 'Enter' && row) chooseRow(row)
    else if (key.key === 'Escape' && (rows.length > 0 || text !== '')) changeText('')
    else return
    key.preventDefault()
    key.stopPropagation()
  }
  function changeText(next: string): void {
    onTextChange(next)
    setIsOpen(next.trim() !== '')
    setActive(0)
  }
  /**
   * Closes the list when the field loses focus. During a press on a button, waits for the click, because closing the
   * list moves the button away.
   */
  function closeOnBlur(): void {
    const close = () => setIsOpen(false)
    if (document.querySelector('button:active')) window.addEventListener('click', close, { once: true })
    else close()
  }
  function chooseRow(row: NameSuggestion): void {
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
        aria-activedescendant={activeIndex < 0 ? undefined : `${id}-${activeIndex}`}
        aria-describedby={describedBy}
        value={text}
        onChange={({ target }) => changeText(target.value)}
        onKeyDown={onKeyDown}
        onBlur={closeOnBlur}
      />
      <ul id={`${id}-rows`} ref={list} role="listbox" aria-label="Names" hidden={rows.length === 0}>
        {rows.map((row, i) => (
          <li
            key={row.kind === 'add' ? 'add' : row.person.person_id}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === activeIndex}
            // A press on the list must not take the focus from the field, because losing the focus closes the list.
            onPointerDown={(press) => press.preventDefault()}
            onClick={() => chooseRow(row)}
          >
            <NameRowContent row={row} />
            {i === activeIndex && <CornerDownLeft size={18} aria-hidden="true" />}
          </li>
        ))}
      </ul>
    </div>
  )
}

function NameRowContent({ row }: { row: NameSuggestion }) {
  if (row.kind === 'known')
    return (
      <>
        <PersonPicture person={row.person} size={32} />
        <span className="name-row">
          <b>{row.person.name}</b>
          <small>{formatClipCount(row.person.events)}</small>
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

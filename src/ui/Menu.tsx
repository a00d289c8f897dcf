import Ellipsis from 'lucide-react/icons/ellipsis'
import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'

export interface MenuEntry {
  readonly text: string
  readonly icon: ReactNode
  /** URL that the entry opens, or its click handler. */
  readonly act: string | (() => void)
  readonly isDangerous?: boolean
}

/**
 * Button with three dots that opens a menu. Arrow keys move the focus. Escape closes the menu and focuses the button.
 */
export function Menu({ label, entries }: { label: string; entries: readonly MenuEntry[] }) {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const listItems = () => [...(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
  useEffect(() => {
    if (isOpen) listItems()[0]?.focus()
  }, [isOpen])

  function close(): void {
    setIsOpen(false)
    button.current?.focus()
  }
  function onKeyDown(key: KeyboardEvent): void {
    const menuItems = listItems()
    const index = menuItems.indexOf(document.activeElement as HTMLElement)
    if (!isOpen) return
    if (key.key === 'Escape') close()
    else if (key.key === 'ArrowDown') menuItems[(index + 1) % menuItems.length]?.focus()
    else if (key.key === 'ArrowUp') menuItems[(index <= 0 ? menuItems.length : index) - 1]?.focus()
    else if (key.key === 'Home') menuItems[0]?.focus()
    else if (key.key === 'End') menuItems.at(-1)?.focus()
    else return
    key.preventDefault()
  }
  function onBlur({ relatedTarget, currentTarget }: FocusEvent): void {
    if (!currentTarget.contains(relatedTarget as Node | null)) setIsOpen(false)
  }

  return (
    <div className="menu" data-open={isOpen || undefined} onKeyDown={onKeyDown} onBlur={onBlur}>
      <button
        ref={button}
        type="button"
        className="icon-btn"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Ellipsis size={20} aria-hidden="true" />
      </button>
      {isOpen && (
        // A press in the menu must not move the focus, because losing the focus closes the menu before the click.
        <div
          id={id}
          ref={list}
          role="menu"
          aria-label={label}
          className="menu-list"
          onPointerDown={(press) => press.preventDefault()}
        >
          {entries.map((entry) => (
            <MenuItem key={entry.text} entry={entry} onClose={close} />
          ))}
        </div>
      )}
    </div>
  )
}

function MenuItem({ entry: { text, icon, act, isDangerous }, onClose }: { entry: MenuEntry; onClose: () => void }) {
  const common = { role: 'menuitem', tabIndex: -1, className: 'menu-item', 'data-danger': isDangerous || undefined }
  const content = (
    <>
      {icon}
      <span>{text}</span>
    </>
  )
  if (typeof act === 'string')
    return (
      <a {...common} href={act}>
        {content}
      </a>
    )
  const handlePress = () => {
    onClose()
    act()
  }
  return (
    <button type="button" {...common} onClick={handlePress}>
      {content}
    </button>
  )
}

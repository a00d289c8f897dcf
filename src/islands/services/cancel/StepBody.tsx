import { type ReactNode, useEffect, useRef } from 'react'

interface BodyProps {
  title: string
  note?: ReactNode
  children: ReactNode
  /** Its two buttons: on a phone they stay at the foot. */
  foot: ReactNode
}

/** What one step says, and its buttons. */
export function StepBody({ title, note, children, foot }: BodyProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // Whoever goes on hears where they are.
  useEffect(() => heading.current?.focus(), [])
  return (
    <>
      <div className="leave-body">
        <div>
          <h2 ref={heading} id="leave-title" tabIndex={-1}>
            {title}
          </h2>
          {note && <p className="leave-note">{note}</p>}
        </div>
        {children}
      </div>
      <footer>{foot}</footer>
    </>
  )
}

import { type ReactNode, useEffect, useRef } from 'react'

interface StepBodyProps {
  title: string
  note?: ReactNode
  children: ReactNode
  /** Buttons of the step, at the bottom of the screen on phones. */
  foot: ReactNode
}

export function StepBody({ title, note, children, foot }: StepBodyProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // Focuses the heading, so that screen readers announce the new step.
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

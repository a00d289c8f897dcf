import { useId, type ReactNode } from 'react'

export function NumberedSteps({ children }: { children: ReactNode }) {
  return <div className="numbered">{children}</div>
}

interface NumberedStepProps {
  readonly number: number
  readonly title: ReactNode
  /** True while the step cannot be used. */
  readonly isInert?: boolean
  readonly children: ReactNode
}

export function NumberedStep({ number, title, isInert = false, children }: NumberedStepProps) {
  const id = useId()
  return (
    <section className="numbered-step" aria-labelledby={id} inert={isInert}>
      <h3>
        <span aria-hidden="true">{number}</span>
        <span id={id}>{title}</span>
      </h3>
      {children}
    </section>
  )
}

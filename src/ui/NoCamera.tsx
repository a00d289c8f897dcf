import Plus from 'lucide-react/icons/plus'
import type { ReactNode } from 'react'

interface NoCameraMessageProps {
  as: 'h1' | 'h3'
  /** True if the page has another primary button. */
  isSecondary?: boolean
  children: ReactNode
}

/** Empty state for an account without cameras: a sentence about this page, and two next steps. */
export function NoCameraMessage({ as: Heading, isSecondary = false, children }: NoCameraMessageProps) {
  return (
    <>
      <span className="glow">
        <svg width="56" height="56" viewBox="0 0 32 32" aria-hidden="true">
          <use href="#porch-logo" />
        </svg>
      </span>
      <Heading>No cameras yet</Heading>
      <p className="max-w-[52ch]">{children}</p>
      <p className="mt-3 flex flex-wrap justify-center gap-3">
        <a className={`btn ${isSecondary ? 'btn-outline' : 'btn-primary'} btn-lg`} href="/live">
          <Plus size={18} aria-hidden="true" />
          Add your first camera
        </a>
        <a className="btn btn-outline btn-lg" href="/guides/cameras">
          See supported cameras
        </a>
      </p>
      <p className="text-small mt-3">Cameras shared with you appear here automatically.</p>
    </>
  )
}

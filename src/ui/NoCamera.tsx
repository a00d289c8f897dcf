import type { ReactNode } from 'react'

/** A home without cameras: what it is good for, how to get the first one, and the command for whoever runs the bridge. */
export function NoCamera({ as: Heading, children }: { as: 'h1' | 'h2'; children: ReactNode }) {
  return (
    <>
      <span className="glow">
        <svg width="56" height="56" viewBox="0 0 32 32" aria-hidden="true">
          <use href="#porch-logo" />
        </svg>
      </span>
      <Heading>No camera yet</Heading>
      <p className="max-w-[52ch]">{children}</p>
      <a className="btn btn-primary btn-lg mt-3" href="/guides/cameras">
        How to add a camera
      </a>
      <details className="text-small mt-3 max-w-full">
        <summary className="mx-auto w-fit cursor-pointer px-2 py-1 font-bold">
          On the computer that talks to your cameras
        </summary>
        <code className="mt-2 block overflow-x-auto rounded-[12px] bg-current/9 px-3.5 py-2.5 text-left whitespace-nowrap">
          npm start -- --camera rtsp://user:password@camera/path
        </code>
      </details>
      <p className="text-small mt-3">Somebody shares a camera with you? It appears here by itself.</p>
    </>
  )
}

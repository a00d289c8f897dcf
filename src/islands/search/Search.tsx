import { type ComponentType, useEffect, useState } from 'react'
import { untilLoaded } from '../../media/until-loaded.ts'
import './search-entry.css'

/** The search, on any page that mounts it. The page itself is there first: what leads to the search comes after it. */
export default function Search() {
  const [Door, show] = useState<ComponentType | null>(null)
  useEffect(() => {
    void untilLoaded(() => import('./parts/Door.tsx')).then((loaded) => show(() => loaded.Door))
  }, [])
  return <div className="contents">{Door && <Door />}</div>
}

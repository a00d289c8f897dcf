/** `8 more like this`, of what a fold hides. */
export const moreLikeThis = (count: number): string => `${count.toLocaleString('en')} more like this`

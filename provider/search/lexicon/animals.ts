import { group, type SynonymGroup } from './synonym-group.ts'

const WILD =
  'fox, bird, squirrel, raccoon, deer, hedgehog, badger, rabbit, rat, mouse, mice, possum, opossum, skunk, coyote, wolf, bear, moose, elk, boar, weasel, otter, bat, snake, lizard, frog, toad, hawk, owl, crow, pigeon, magpie, heron, turkey, goose, geese, duck'
const FARM = 'horse, pony, donkey, cow, sheep, lamb, goat, pig, hen, chicken, cockerel'

export const ANIMALS: readonly SynonymGroup[] = [
  group('animal, beast, creature, critter, mammal, animals, creatures, critters, fauna', {
    also: `pet, dog, puppy, hound, cat, kitten, hamster, tortoise, ${WILD}, ${FARM}`,
    tags: ['103'],
  }),
  group('wildlife, nature, varmint, pest, vermin, predator, wild animal, wild animals, wild creature', {
    also: `animal, ${WILD}`,
    tags: ['103'],
  }),
  group('livestock, farm animal, farm animals, cattle', { also: FARM }),
  group('pet, pets, furry friend, fur baby, fur babies', {
    also: 'dog, cat, puppy, kitten, rabbit, hamster, guinea pig, parrot',
    tags: ['103'],
  }),
  group(
    'dog, puppy, pup, hound, doggy, doggie, canine, mutt, pooch, labrador, terrier, pups, puppies, doggo, doggies, pupper, spaniel, collie, poodle, bulldog, beagle, dachshund, greyhound, whippet, rottweiler, chihuahua, husky, alsatian, mongrel, labradoodle, cockapoo, pug, corgi, dalmatian, doberman, lurcher, mastiff, schnauzer, shih tzu',
    {
      asks: 'walkies, golden retriever, lab, retriever, labs, german shepherd, sheepdog, pit bull, pitbull, french bulldog, great dane, jack russell, staffie, yorkie, boxer dog, border collie, man s best friend',
    },
  ),
  group(
    'cat, kitten, kitty, feline, tabby, tomcat, moggy, puss, pussycat, kittens, cats, moggie, kitties, tortoiseshell, siamese, mouser, tom cat',
    { asks: 'tom, ginger tom, maine coon, calico, calico cat, pussy cat' },
  ),
  group('stray, strays', {
    also: 'cat',
    asks: 'stray cat, stray dog, feral cat, neighbours cat, neighbors cat, neighbour s cat, neighbor s cat, neighbours dog, neighbors dog, neighbour s dog, neighbor s dog, lost dog, lost cat',
  }),
  group('fox, foxes, vixen', { asks: 'fox cub, fox cubs' }),
  group('wolf, wolves, coyote, coyotes, dingo, jackal'),
  group('bear, bears, grizzly, black bear, brown bear'),
  group('big cat, bobcat, bobcats, cougar, mountain lion, puma, lynx, panther, lion, tiger, leopard, wildcat'),
  group('bird, birds, birdie, feathered, fledgling', {
    also: 'crow, magpie, pigeon, sparrow, blackbird, gull, seagull, owl, hawk, heron, dove, raven, starling, finch, parrot, woodpecker, hummingbird, turkey, goose, geese, duck, swan, eagle, pheasant, peacock, hen, chicken, robin, buzzard, kestrel, falcon, parakeet',
  }),
  group('owl, owls, barn owl'),
  group('hawk, hawks, eagle, falcon, buzzard, kestrel, osprey, bird of prey, raptor'),
  group('crow, crows, raven, ravens, rook, jackdaw, blackbird, blackbirds'),
  group('pigeon, pigeons, dove, doves, wood pigeon'),
  group('gull, seagull, gulls, seagulls'),
  group('duck, ducks, duckling, ducklings, mallard'),
  group('goose, geese, swan, swans'),
  group('heron, herons, egret'),
  group('chicken, chickens, hen, hens, cockerel, rooster, poultry, chick, chicks, cock'),
  group('squirrel, squirrels, chipmunk, chipmunks'),
  group('raccoon, racoon, raccoons, racoons, trash panda'),
  group('possum, opossum, possums, opossums'),
  group('skunk, skunks'),
  group('deer, stag, roe, fawn, buck, reindeer, muntjac, deers, bambi', { also: 'moose, elk, antlers' }),
  group('moose, elk'),
  group('hedgehog, hedgehogs, porcupine'),
  group('badger, badgers, groundhog, woodchuck, beaver, marmot'),
  group('weasel, stoat, ferret, mink, otter, polecat, marten, weasels, otters'),
  group('rodent, rodents', { also: 'rat, mouse, mice, squirrel, vole, hamster' }),
  group('rat, rats'),
  group('mouse, mice, vole, shrew'),
  group('rabbit, hare, bunny, rabbits, bunnies, hares'),
  group('hamster, hamsters, guinea pig, guinea pigs, gerbil, gerbils'),
  group('tortoise, turtle, tortoises, turtles'),
  group('bat, bats'),
  group('snake, snakes, serpent, python, rattlesnake, adder'),
  group('lizard, lizards, gecko, iguana, alligator, crocodile, gator'),
  group('frog, frogs, toad, toads, newt'),
  group('fish, goldfish, koi, carp, fishes'),
  group('insect, insects, bug, bugs', {
    also: 'spider, moth, bee, wasp, butterfly, beetle, ant, mosquito, ladybird, dragonfly, hornet',
  }),
  group('spider, spiders, cobweb, web, spiderweb, cobwebs, webs'),
  group('moth, moths, butterfly, butterflies'),
  group('bee, bees, wasp, wasps, hornet, hornets, bumblebee'),
  group('horse, horses, pony, ponies, stallion, mare, foal', {
    also: 'horseback, stable',
    asks: 'horse riding, horse rider',
  }),
  group('donkey, donkeys, mule'),
  group('cow, cows, bull, calf, calves, heifer, bullock'),
  group('sheep, lamb, lambs, ewe'),
  group('goat, goats'),
  group('pig, pigs, piglet, hog, boar, wild boar'),
  group('tail, tails'),
  group('socks, paws, white socks, white paws, paw'),
  group('lead, leash, leashed, harness, leads, leashes', {
    asks: 'on a lead, on the lead, on a leash, off the lead, off leash',
  }),
  group('collar, collars'),
  group('poo, poop, poops, pooping, pooing, pooed, pooped, faeces, feces, dog mess, dog muck, dog dirt, excrement', {
    asks: 'number two, doing its business, does its business, do its business, fouling, cat mess',
  }),
  group('pee, peeing, urinate, urinating, pees, urinates, peed, weeing, widdle, urinated, cocks its leg', {
    asks: 'taking a leak, relieve himself, relieving himself, relieves himself',
  }),
  group('litter box, litter tray, cat litter', { asks: 'litterbox, cat box' }),
]

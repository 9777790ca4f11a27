"""A story written for this course: plain words that come back often, so that a small model can learn them."""

TEXT = """\
The harbour

There is a small town by the sea, and in the town there is a harbour. In the harbour there are nine boats, \
and each boat has a name and a colour. The red boat is called Morning. The blue boat is called Evening. The \
old grey boat at the end of the wall has no name, because nobody remembers who built it.

Every morning the people of the town come down to the water. They look at the sky and they look at the sea. \
If the sky is clear and the sea is calm, the boats go out. If the sky is dark and the sea is high, the boats \
stay in, and the people stay in too, and mend their nets, and tell each other stories.

At the end of the wall, behind the old grey boat, there is a lighthouse. The keeper of the light is a woman \
called Ada. She is neither young nor old. She has a lamp, a book, a dog and a very long memory. The dog is \
called Seven, because he came to her on the seventh day of the seventh month, out of the rain.

The book

In her book Ada writes down what happens. She writes the day, and the wind, and the boats that go out, and \
the boats that come home. When a boat comes home she makes a small mark beside its name. At night she counts \
the marks. If there is a mark beside every name, she closes the book and goes to sleep. If there is a name \
without a mark, she does not go to sleep. She turns the lamp up as high as it will go, and she waits.

"Why do you write it down?" the children ask her. "You remember everything anyway."

"I remember everything," says Ada, "but I do not remember it in order. The book remembers the order. The \
same words in another order are another story. The dog found the boat is one story. The boat found the dog \
is another. If I only kept the words, I would not know who was lost and who was found."

The children think about this. Then they go home and say it to their parents, and their parents say that \
Ada has been alone with the sea for too long. But the children keep it in mind, each in their own order.

The storm

One day in autumn the sky was clear in the morning, and the sea was calm, and all the boats went out. Ada \
stood at the window and counted them. One, two, three, four, five, six, seven, eight. The old grey boat \
stayed where it was, as it always did. Then she wrote the day, and the wind, and the eight names.

At noon the wind turned. It had come from the land, and now it came from the sea. It was a small wind at \
first, and then it was not small. Seven stood up and looked at the door. Ada looked at the sky in the west, \
and the sky in the west was the colour of slate.

The first boat came home at two, and the second boat came home soon after it. Ada made a mark, and another \
mark. At three the red boat came home with a torn sail. At four it was as dark as night, and four more boats \
came in behind one another, like beads on a string, each with its eyes on the lamp of the one before it. Ada \
made four marks. Then she counted, and she counted again. There was one name without a mark. The name was \
Evening. The blue boat had not come home.

On the blue boat there were two people, an old man called Tom and his daughter, who was called Nell. Tom \
knew the sea very well. Nell knew the stars very well. But that night there were no stars, and the sea was \
not the sea that Tom knew.

Ada turned the lamp up as high as it would go. The light went out over the water and came round again, out \
over the water and round again. Seven sat beside her. The rain came in under the door. The wind went round \
the house and tried every window, one after the other, like somebody who has lost the key.

"We will wait," said Ada to the dog, and they waited.

The old grey boat

In the middle of the night the people of the town came down to the harbour with ropes and lanterns. They \
stood on the wall, and the sea came over the wall, and they could not see anything at all. "We should go \
out and look for them," said one. "We cannot go out," said another. "There is not a boat that could go out \
in this sea."

"There is one," said a child. It was the smallest child in the town, and it was holding a lantern that was \
nearly as big as itself. "There is the old grey boat."

Nobody had been out in the old grey boat for as long as anybody could remember. But when they held up the \
lanterns they saw that it lay in the water without moving, while all the other boats danced at their ropes. \
It was broad and low and heavy. Whoever built it had built it for a night like this.

Six of them went out. They pulled on the oars and kept the light of the house behind them, so that they \
would know the way home. Every time the light came round they called out, and every time they had called \
out they listened. They called and listened, called and listened. And at last, between one wave and the \
next, somebody answered.

The blue boat had lost its mast and its lamp. Tom sat at the tiller and Nell sat beside him, with her arm \
around his shoulder. "We saw the light," said Nell, "but we could not reach it. We knew where home was all \
the time. It is a strange thing to know where home is and not to be able to go there."

They tied the blue boat to the old grey boat with the longest rope they had. Then they turned round, and \
now the light was in front of them, and they pulled towards it. It was a long way. It seemed longer than \
the way out, although it was the same way. But a way is not only as long as it is. It is also as long as \
the night.

The mark

When the sky in the east was grey, the old boat came in, and the blue boat came in behind it. Ada stood on \
the wall. She did not say anything. She went back to the house, opened the book, and made a small mark \
beside the name Evening. Then she counted the marks. There was a mark beside every name.

She was about to close the book. But she thought for a moment, and took up the pen again, and at the end of \
the list, under the eight names, she left a line free. Then she went down to the harbour, with the dog \
behind her, to where the people sat and drank something hot.

"The old grey boat has come home too," said Ada, "and I cannot make a mark for it, because it has no name. \
It needs a name today."

They all began to speak at once. One said that it should be called Night. One said that it should be called \
Rope. Tom said that it should be called Patience, and Nell said that it should be called Tom. The smallest \
child had fallen asleep beside the big lantern, and nobody wanted to wake it to ask.

"I know," said Ada. She took the book, and on the free line she wrote the name Lantern, and beside the name \
she made a small mark. Then she closed the book and went to sleep, and the dog slept too, and the light on \
the wall burned on for a while in the bright morning, because nobody remembered to put it out.

The winter

In the winter the boats stay in the harbour. The nets hang from the beams, and the people sit below them \
and mend what the summer has torn. It is quiet in the town. The snow lies on the wall and on the boats, and \
you can read in it who has been there. Here went a cat. Here went a child, and here the child stood still \
and looked at something. Here went Ada with the dog, out to the lamp and back again.

On the longest night of the year they all come to the lighthouse. It is an old custom, and nobody knows who \
began it. They bring bread and fish and candles, and they sit on the stairs, one above the other, all the \
way up to the lamp. Then Ada opens the book at the first page and reads aloud. She reads the days, and the \
winds, and the names of the boats that went out, and the names of the boats that came home.

It takes a long time, and it is always the same, and that is why they love it. The children know the names \
by heart. When Ada stops for a moment, they say the next name before she can read it. "Morning," they say, \
and she reads: Morning. "Evening," they say, and she reads: Evening. They are right nearly every time.

"How do you know what comes next?" asks Nell, who sits among them, on the third step from the top.

"We look at what came before," says the smallest child, who is not quite so small any more. "Some of it \
matters a lot and some of it does not matter at all. You have to know where to look."

Ada smiles and turns the page. Outside the snow is falling on the nine boats, on the red one and the blue \
one and the old grey one, and the light goes out over the water and comes round again, out over the water \
and round again, until the morning.

The letter

In spring a letter came to the town. It came on the first boat from the other side of the bay, and it had \
no name on it, only a picture of a lighthouse. So the man who brought it gave it to Ada. She turned it over \
twice, and then she opened it, and then she sat down on the wall to read it, with the dog at her feet.

"I am old now," said the letter, "and I live far from the sea. But when I was young I built a boat in your \
town. I built it broad and low and heavy. The people laughed at me, because it was slow, and because it was \
not beautiful. I was young and I did not like to be laughed at, so I went away and did not give it a name. \
Now I am told that it has one. I should like to know who gave it."

Ada read the letter again. Then she went home and took a clean sheet, and she wrote: "It was a child who \
found the boat, and it was six people who took it out, and it was two people who came home with it. I only \
wrote it down. But I wrote it down in order." She thought for a moment, and then she wrote: "Come and see \
it. There is a place on the stairs for you on the longest night."

She gave the letter to the next boat. It was the red boat, and the sky was clear, and the sea was calm. Ada \
stood at the window and watched it go, out of the harbour, past the end of the wall, over the bright water. \
Then she opened the book, and wrote the day, and the wind, and the name of the boat that had gone out.
"""

package gcf

// PackRootFullScores is what senders of other scores hash.
var PackRootFullScores = packRootFullScores
